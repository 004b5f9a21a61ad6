/**
 * The span that caused a submission, an e-mail or a webhook, as a W3C `traceparent`, so that the processes
 * that go on with it join its trace. null without tracing, and in rows of earlier versions.
 */
export const statements = ['submissions', 'mails', 'webhook_deliveries'].map(
  (table) => `alter table ${table} add column traceparent text`,
)
