import { apiKeyHeader } from '@veridict/contract/api/config'
import type { Endpoint } from '@veridict/contract/api/endpoint'
import { endpoints } from '@veridict/contract/api/endpoints'
import { submissionFinalEvent } from '@veridict/contract/api/webhooks'
import { z } from 'zod'

type Schema = Record<string, unknown>
export type Operation = ReturnType<typeof operationOf>
export type OpenApiDocument = ReturnType<typeof openApiDocument>

const ofCompany = 'for what belongs to that company.'
const accessTexts: Readonly<Record<Endpoint['access'], string>> = {
  public: 'Everyone with the API key.',
  loggedIn: 'Everyone who is logged in.',
  companyUser: 'Company users only, for what belongs to their company.',
  superAdmin: 'Super administrators only.',
  uploader: `Company users, and tokens of a company with the scope upload or both, ${ofCompany}`,
  reader: `Company users, and tokens of a company with the scope read or both, ${ofCompany}`,
  uploaderOrReader:
    `Company users and all tokens of a company, ${ofCompany} A token with the scope upload sees its own ` +
    'uploads only.',
}

/** The contract as an OpenAPI 3.1 document, made from the same objects as the routes. */
export function openApiDocument(publicUrl: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = (paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})
    path[endpoint.method.toLowerCase()] = operationOf(name, endpoint)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Veridict',
      version: '1',
      description: 'Upload data files, validate them against data dictionaries, and follow their status.',
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(Object.values(endpoints).map(tagOf))].map((name) => ({ name })),
    paths,
    webhooks: { [submissionFinalEvent.shape.type.value]: { post: submissionFinal } },
    components: { securitySchemes, schemas },
  }
}

const submissionFinal = {
  summary: 'A submission has reached a final status',
  description: 'Signed as https://www.standardwebhooks.com says, with the secret of the webhook.',
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaOf(submissionFinalEvent, 'output') } },
  },
  responses: { '2XX': { description: 'Taken; otherwise it is sent again for a day' } },
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: apiKeyHeader,
    description: 'Names the calling application; public.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a session, or a token of a company (vdt_…).',
  },
}

const schemas = {
  Message: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  FieldErrors: {
    type: 'object',
    properties: {
      errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    },
    required: ['errors'],
  },
  MessageList: { type: 'array', items: { type: 'string' } },
}

/** The resource: `/api/Company/…` → `Company`. */
const tagOf = (endpoint: Endpoint): string => endpoint.path.split('/')[2]

function operationOf(name: string, endpoint: Endpoint) {
  const parameters = [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)]
  const requestBody = requestBodyOf(endpoint)
  const success = { [endpoint.status ?? 200]: successOf(endpoint) }
  const responses: Record<string, Schema> = { ...success, ...refusalsOf(endpoint) }
  return {
    operationId: name,
    summary: endpoint.summary,
    description: accessTexts[endpoint.access],
    tags: [tagOf(endpoint)],
    security: [endpoint.access === 'public' ? { apiKey: [] } : { apiKey: [], bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses,
  }
}

/** JSON Schema without its own `$schema`, which OpenAPI 3.1 sets for the whole document. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): Schema[] {
  if (schema === undefined) return []
  const { properties, required } = schemaOf(schema, 'input') as {
    properties: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required ?? []).includes(name),
    schema: property,
  }))
}

function requestBodyOf({ body, multipart }: Endpoint): Schema | undefined {
  if (body) return { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } }
  if (!multipart) return undefined
  const fields = schemaOf(multipart.fields, 'input') as { properties: Schema; required?: string[] }
  const schema = {
    type: 'object',
    properties: { ...fields.properties, file: { type: 'string', format: 'binary' } },
    required: [...Object.keys(fields.properties), 'file'],
  }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function successOf({ reply, download }: Endpoint): Schema {
  if (download)
    return {
      description: 'The file',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }
  const properties = {
    ...(reply ? { value: schemaOf(reply, 'output') } : {}),
    successMessage: { type: 'string' },
  }
  return {
    description: 'Success',
    content: { 'application/json': { schema: { type: 'object', properties, required: ['value'] } } },
  }
}

const refusal = (description: string, ...names: (keyof typeof schemas)[]): Schema => {
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  return {
    description,
    content: {
      'application/json': { schema: references.length === 1 ? references[0] : { anyOf: references } },
    },
  }
}

/** The refusals of an endpoint. See docs/BEHAVIOUR.md#calls. */
function refusalsOf(endpoint: Endpoint): Record<string, Schema> {
  const { method, access, params, query, body, multipart, download } = endpoint
  const content = body ?? multipart
  const isPublic = access === 'public'
  const isLimited = ['public', 'uploader', 'reader', 'uploaderOrReader'].includes(access) || download
  const refusals: [status: number, applies: unknown, description: string][] = [
    [401, true, 'No, expired or forged token, or no API key'],
    [403, !isPublic, 'Not allowed'],
    [404, params ?? content ?? endpoint.canBeOff, 'No such thing, or not yours'],
    [409, (method !== 'GET' && !isPublic) || endpoint.canConflict, 'In conflict with what there is'],
    [413, content, 'Too large'],
    [415, content, 'Wrong type'],
    [421, true, 'The portal has another address'],
    [429, isLimited, 'Too many requests; see Retry-After'],
    [503, true, 'Not available at the moment'],
    [507, multipart, 'No space, or no more of it for this company'],
  ]
  const wrong = refusal('A value in the request is wrong', 'FieldErrors', 'Message', 'MessageList')
  const others = refusals.flatMap(([status, applies, description]) =>
    applies ? [[status, refusal(description, 'Message')]] : [],
  )
  return { ...((content ?? query ?? params) && { 400: wrong }), ...Object.fromEntries(others) }
}
