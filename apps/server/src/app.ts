import multipart from '@fastify/multipart'
import { bodyLimits } from '@veridict/contract/limits'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Deps } from '#deps.ts'
import { checkHosts } from '#platform/http/served-host.ts'
import { cutEndedCalls } from '#platform/http/authenticate.ts'
import { rememberAddresses, warnOfUntrustedProxy } from '#platform/http/caller-address.ts'
import { replyWithErrors, sendError } from '#platform/http/error-reply.ts'
import { acceptJson } from '#platform/http/json-body.ts'
import {
  closeConnectionsWhenStopping,
  closeSlowRequests,
  closeSmallParts,
  closeStalledReplies,
  limitPipelining,
} from '#platform/http/connections.ts'
import { logRequests } from '#platform/http/request-log.ts'
import { addSecurityHeaders } from '#platform/http/security-headers.ts'
import { traceCalls } from '#platform/http/trace-calls.ts'
import { isWebSocketUpgrade, mountLive } from '#submissions/live/mount-live.ts'
import { mountDictionaries } from '#dictionaries/mount-dictionaries.ts'
import { mountFieldsAndRules } from '#dictionaries/mount-fields-and-rules.ts'
import { mountImpacts } from '#impacts/mount-impacts.ts'
import { mountMails } from '#mail/mount-mails.ts'
import { mountAuditTrail } from '#audit/mount-audit-trail.ts'
import { mountCompanies } from '#companies/mount-companies.ts'
import { mountCompanyTokens } from '#companies/mount-company-tokens.ts'
import { mountWebhook } from '#companies/mount-webhook.ts'
import { mountMetrics } from '#operations/mount-metrics.ts'
import { mountHealthChecks, mountOperations } from '#operations/mount-operations.ts'
import { mountReceiptKeys, mountSubmissions } from '#submissions/mount-submissions.ts'
import { mountSession } from '#session/mount-session.ts'
import { mountSingleSignOn } from '#session/mount-single-sign-on.ts'
import { mountUsers } from '#users/mount-users.ts'
import { mountWeb } from '#platform/http/mount-web.ts'

const SECOND = 1000

/** Every resource of the contract, and what operators use. */
const resources = [
  mountMetrics,
  mountHealthChecks,
  mountOperations,
  mountSession,
  mountSingleSignOn,
  mountUsers,
  mountSubmissions,
  mountReceiptKeys,
  mountCompanies,
  mountCompanyTokens,
  mountWebhook,
  mountDictionaries,
  mountFieldsAndRules,
  mountImpacts,
  mountMails,
  mountAuditTrail,
  mountLive,
]

/** Builds the web server without listening, so that tests can inject requests. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = newApp(deps)
  acceptJson(app)
  warnOfUntrustedProxy(app)
  closeSlowRequests(app)
  cutEndedCalls(app)
  await app.register(multipart, { throwFileSizeLimit: false })
  for (const mountResource of resources) mountResource(app)
  await mountWeb(app)
  return app
}

/** The server of a process that only takes jobs: for supervisors and metrics. */
export function buildWorkerApp(deps: Deps): FastifyInstance {
  const app = newApp(deps)
  mountMetrics(app)
  mountHealthChecks(app)
  return app
}

function newApp(deps: Deps): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => deps.ids.uuid().slice(0, 8),
    bodyLimit: bodyLimits.maxBytes,
    // `checkHosts` refuses requests without a host, with a sentence.
    http: { shouldUpgradeCallback: isWebSocketUpgrade, requireHostHeader: false },
    trustProxy: deps.env.trustProxy ?? false,
    // A last resort; `closeSlowRequests` closes uploads that stall.
    requestTimeout: 900 * SECOND,
    connectionTimeout: 0,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, _request, reply) => void sendError(error, reply),
  })
  app.decorate('deps', deps)
  app.decorateRequest('viewer', null)
  app.decorateRequest('leaveLine', null)
  limitPipelining(app)
  closeSmallParts(app)
  rememberAddresses(app)
  traceCalls(app)
  replyWithErrors(app)
  logRequests(app)
  addSecurityHeaders(app, deps.env.publicUrl)
  checkHosts(app)
  closeConnectionsWhenStopping(app)
  closeStalledReplies(app)
  return app
}
