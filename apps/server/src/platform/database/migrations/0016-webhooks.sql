-- The webhook of a company, and the outbox of what is sent to it. Of the secret only the salt is stored: the
-- secret follows from it and TOKEN_SECRET, so a copy of the database cannot sign.

create table webhooks (
  company_id integer primary key references companies (id),
  url text not null,
  secret_salt text not null,
  set_at timestamptz not null default now()
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  company_id integer not null references companies (id),
  submission_id integer not null references submissions (id),
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  delivered_at timestamptz,
  given_up_at timestamptz
);
create index webhook_deliveries_waiting on webhook_deliveries (company_id, next_attempt_at)
  where delivered_at is null and given_up_at is null;
