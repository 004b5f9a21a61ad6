import { associateDictionary, listCompanies } from '@veridict/contract/api/companies'
import { configPath } from '@veridict/contract/api/config'
import { createDictionary, deleteDictionary } from '@veridict/contract/api/dictionaries'
import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { saveRuleBook } from '@veridict/contract/api/rule-book'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { logIn } from '@veridict/contract/api/session'
import type { WireField } from '@veridict/contract/api/wire-field'
import { demoPassword } from './visit.ts'

/** An administrator without a browser, who prepares what a journey needs. */
export type AdminClient = {
  /** Creates a dictionary and associates it with the company of this name. */
  createDictionary(
    name: string,
    fields: readonly Required<WireField<string>>[],
    company: string,
  ): Promise<{ id: number; name: string }>
  saveRules(id: number, rules: readonly RowRule[]): Promise<void>
  deleteDictionary(id: number): Promise<void>
}

/** Logs in at the portal. */
export async function adminClient(url: string): Promise<AdminClient> {
  const { apiKey } = (await (await fetch(url + configPath)).json()) as { apiKey: string }
  let headers: Record<string, string> = { ApiKey: apiKey }

  async function send<E extends Endpoint>(endpoint: E, path: string, body?: object): Promise<ReplyOf<E>> {
    const { method } = endpoint
    const init = body === undefined ? { method, headers } : withJson({ method, headers }, body)
    const response = await fetch(url + path, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { value: ReplyOf<E> }).value
  }

  const session = await send(logIn, logIn.path, { email: 'admin@example.com', password: demoPassword })
  headers = { ...headers, Authorization: `Bearer ${session.userTokens.accessToken}` }
  return {
    async createDictionary(name, items, company) {
      const { id } = await send(createDictionary, createDictionary.path, { name, items })
      const query = new URLSearchParams({ SearchText: company })
      const { data } = await send(listCompanies, `${listCompanies.path}?${query}`)
      const companyId = data[0].companyId
      await send(associateDictionary, associateDictionary.path, { companyId, dataDictionaryId: id })
      return { id, name }
    },
    async saveRules(id, rules) {
      await send(saveRuleBook, saveRuleBook.path.replace(':id', String(id)), { rules })
    },
    async deleteDictionary(id) {
      await send(deleteDictionary, deleteDictionary.path.replace(':id', String(id)))
    },
  }
}

const withJson = (call: { method: string; headers: Record<string, string> }, body: object): RequestInit => ({
  ...call,
  headers: { ...call.headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
