-- Tokens with which programs upload for a company, stored as hashes. A submission was uploaded by a user or
-- with a token, so a token is revoked, never deleted.

create table company_tokens (
  id integer generated always as identity primary key,
  company_id integer not null references companies (id),
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index company_tokens_company on company_tokens (company_id, id);

alter table submissions
  alter column user_id drop not null,
  add column token_id integer references company_tokens (id),
  add constraint submissions_uploader check (num_nonnulls(user_id, token_id) = 1);
create index submissions_token on submissions (token_id, id desc) where token_id is not null;
