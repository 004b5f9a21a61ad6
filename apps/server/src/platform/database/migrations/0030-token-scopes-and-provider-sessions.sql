-- additive

-- What a token of a company may do, who made it, and when the e-mail about its end was queued. Which sessions
-- and tickets began at an identity provider, and which of its logouts arrived, so that they end with it.

alter table company_tokens
  add column scope text not null default 'both' check (scope in ('upload', 'read', 'both')),
  add column creator_id integer references users (id),
  add column creator_email text,
  add column end_mail_at timestamptz;
alter table sessions
  add column issuer text,
  add column subject text,
  add column provider_session_id text;
alter table sign_on_tickets
  add column issuer text,
  add column subject text,
  add column provider_session_id text;
create table provider_logouts (
  id_hash text primary key,
  expires_at timestamptz not null
);
