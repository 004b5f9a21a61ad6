-- The span that caused a submission, an e-mail or a webhook, as a W3C `traceparent`, so that the processes
-- that go on with it join its trace. null without tracing, and in rows of earlier versions.

alter table submissions add column traceparent text;
alter table mails add column traceparent text;
alter table webhook_deliveries add column traceparent text;
