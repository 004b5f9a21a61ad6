import { z } from 'zod'
import { isStorable } from '#notation/storable-text.ts'
import { pageSizes } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { maxInteger } from '#notation/id.ts'

/**
 * A whole number from 1 to `max`, as a JSON number, or as decimal digits in addresses and forms. Refuses
 * other texts that JavaScript converts: `0x1`, `1e0`, ` 1`, '', `true`. `message` is used for every error.
 */
export const wholeNumber = (max: number, message?: string) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
    z.int(message).min(1, message).max(max, message),
  )

export const id = wholeNumber(maxInteger)
/** An id that a person chooses: without one, `message` says what is missing. */
export const chosenId = (message: string) => wholeNumber(maxInteger, message)

/**
 * Who may call; 'loggedIn' is users of every role. The last three are company users and tokens of companies:
 * those that may upload, those that may read, and all. See docs/BEHAVIOUR.md#people-and-rights.
 */
export type Access =
  | 'public'
  | 'loggedIn'
  | 'companyUser'
  | 'superAdmin'
  | 'uploader'
  | 'reader'
  | 'uploaderOrReader'

/**
 * One call as data that server, web client, OpenAPI document and tests all read. `reply` is the schema of
 * `value`. `multipart` is an upload: the largest size of its part `file`, the sentence that refuses a larger
 * one, and its other parts. `download` marks a reply that is a file.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly access: Access
  readonly summary: string
} & Parts

export type FileLimit = { readonly maxBytes: number; readonly message: string }

type Parts = {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly multipart?: { readonly file: FileLimit; readonly fields: z.ZodObject }
  readonly reply?: z.ZodType
  readonly download?: true
  /** The sentence of its success, beside `value`; with `messageReply` it is the `value`. */
  readonly says?: string
  /** Whether a read can be refused with 409; changes always can. */
  readonly canConflict?: true
  /** Whether the call needs a setting, without which it returns 404. */
  readonly canBeOff?: true
  /** Ends sessions: other sessions of the person, which may be a thief's, must not be able to delay it. */
  readonly endsSessions?: true
  /** By default 200. */
  readonly status?: 200 | 201 | 202
}

type Address = `${Endpoint['method']} /${string}`
/** The names of the parameters in a path. */
type Names<A extends string> = A extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : A extends `${string}/:${infer Name}`
    ? Name
    : never
type IdsIn<A extends string> = [Names<A>] extends [never]
  ? unknown
  : { readonly params: z.ZodObject<Record<Names<A>, typeof id>> }
type EndpointAt<A extends Address, Who extends Access, P extends Parts> = {
  readonly method: A extends `${infer Method extends Endpoint['method']} ${string}` ? Method : never
  readonly path: string
  readonly access: Who
  readonly summary: string
} & P &
  (P extends { readonly params: z.ZodObject } ? unknown : IdsIn<A>)

/** `address`: method and path. Its parameters are ids, unless `params` says what they are. */
export function endpoint<const A extends Address, const Who extends Access, const P extends Parts>(
  address: A,
  access: Who,
  summary: string,
  parts: P,
): EndpointAt<A, Who, P> {
  const [method, path] = address.split(' ')
  const names = path.match(/(?<=:)\w+/g)
  const params = names && z.object(Object.fromEntries(names.map((name) => [name, id])))
  return { method, path, access, summary, ...(params && { params }), ...parts } as EndpointAt<A, Who, P>
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Given<S> = S extends z.ZodType ? z.input<S> : undefined
export type ParamsOf<E extends Endpoint> = Parsed<E['params']>
export type QueryOf<E extends Endpoint> = Parsed<E['query']>
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
/** What a client sends, before defaults and trimming. */
export type BodyInput<E extends Endpoint> = Given<E['body']>
export type ReplyOf<E extends Endpoint> = Parsed<E['reply']>

/** Every success; `successMessage` is a sentence for people. See docs/BEHAVIOUR.md#calls. */
export type Envelope<T> = { value: T; successMessage?: string }

/** Every refusal. The import of a dictionary has a third form: an array of sentences. */
export type ErrorBody = { message?: string; errors?: Record<string, string[]> }

export const idParams = z.object({ id })
export const messageReply = z.object({ message: z.string() })
export const idReply = z.object({ id: z.int() })
/**
 * ETag, named `version` on the wire. An update with it gets a 409 if someone else changed the same thing
 * meanwhile; an update without it overwrites. See docs/BEHAVIOUR.md#calls.
 */
export const etag = z.string()
export const optionalEtag = z.string().max(100).nullish()
export const timestamp = z.iso.datetime()

export const pageNumber = wholeNumber(1_000_000_000).prefault(1)
export const pageSize = wholeNumber(pageSizes.max).prefault(pageSizes.default)

/** Query of every list. Names are matched without regard to case. See docs/BEHAVIOUR.md#calls. */
export const pagingQuery = z.object({
  SearchText: z.string().trim().max(500).refine(isStorable, noticeMessages.invalidValue).default(''),
  PageNumber: pageNumber,
  PageSize: pageSize,
})
export type Paging = z.output<typeof pagingQuery>

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), totalPages: z.int(), totalCount: z.int() })
/** A page of a list that may be very long: `totalCount` counts no further than `pageSizes.maxCount`. */
export const boundedPageOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({ totalIsLowerBound: z.boolean() })
export type BoundedPage<T> = Page<T> & { totalIsLowerBound: boolean }
export type Page<T> = { data: T[]; totalPages: number; totalCount: number }

/** A parameter of the query that may occur several times, once, or not at all. */
export const repeated = <T extends z.ZodType>(item: T) =>
  z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(item).max(1000)).prefault([])
