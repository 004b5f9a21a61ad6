-- The first schema. Indexes make names unique, also for parallel requests. Rows that history needs are only
-- marked as deleted (`deleted_at`), and partial indexes free their names. A storage folder is never freed,
-- because the files of the deleted company stay in it. See docs/BEHAVIOUR.md#people-and-rights.

create table companies (
  id integer generated always as identity primary key,
  name text not null,
  storage_folder text not null,
  address text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index companies_name_key on companies (lower(name)) where deleted_at is null;
create unique index companies_storage_folder_key on companies (lower(storage_folder));

create table users (
  id integer generated always as identity primary key,
  company_id integer references companies (id),
  role text not null check (role in ('companyUser', 'superAdmin')),
  name text not null,
  email text not null,
  phone text not null default '',
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((role = 'superAdmin') = (company_id is null))
);
create unique index users_email_key on users (lower(email)) where deleted_at is null;
create index users_company on users (company_id) where deleted_at is null;

-- A refresh token is (session, generation), signed. Only the generation is stored, so a stolen table has no
-- token.
create table sessions (
  id uuid primary key,
  user_id integer not null references users (id),
  generation integer not null default 1,
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id) where ended_at is null;

create table password_links (
  id integer generated always as identity primary key,
  user_id integer not null references users (id),
  purpose text not null check (purpose in ('invitation', 'reset')),
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_links_user on password_links (user_id, created_at);

-- revision grows with every change of name or fields. A submission freezes it as a version when it needs
-- it.
create table dictionaries (
  id integer generated always as identity primary key,
  name text not null,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by integer references users (id),
  deleted_at timestamptz
);
create unique index dictionaries_name_key on dictionaries (lower(name)) where deleted_at is null;

-- name_key is the contract's labelKey(name): field names are unique in the way in which headers are
-- compared.
create table fields (
  id integer generated always as identity primary key,
  dictionary_id integer not null references dictionaries (id),
  position integer not null,
  name text not null,
  name_key text not null,
  description text not null default '',
  category text not null default '',
  required boolean not null,
  rule_type smallint not null check (rule_type between 0 and 4),
  rule_config jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (dictionary_id, name_key),
  unique (dictionary_id, position) deferrable initially deferred
);

create table dictionary_versions (
  id integer generated always as identity primary key,
  dictionary_id integer not null references dictionaries (id),
  revision integer not null,
  name text not null,
  fields jsonb not null,
  created_at timestamptz not null default now(),
  unique (dictionary_id, revision)
);

create table company_dictionaries (
  company_id integer not null references companies (id),
  dictionary_id integer not null references dictionaries (id),
  created_at timestamptz not null default now(),
  primary key (company_id, dictionary_id)
);
create index company_dictionaries_dictionary on company_dictionaries (dictionary_id);

-- lease_*: a run that lost its lease cannot write, because every move compares status and lease.
-- See docs/BEHAVIOUR.md#leases-and-recovery.
create table submissions (
  id integer generated always as identity primary key,
  company_id integer not null references companies (id),
  user_id integer not null references users (id),
  dictionary_version_id integer not null references dictionary_versions (id),
  dictionary_name text not null,
  file_name text not null,
  file_kind text not null check (file_kind in ('csv', 'xlsx')),
  bytes bigint not null,
  sha256 text not null,
  storage_key text not null unique,
  status smallint not null default 0 check (status between 0 and 6),
  error_type smallint check (error_type between 0 and 7),
  error_message text,
  records_count integer,
  error_row_count integer,
  cell_error_count integer,
  error_groups jsonb,
  target_path text,
  lease_id uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  settled_at timestamptz,
  source_deleted_at timestamptz
);
create index submissions_company on submissions (company_id, id desc);
create index submissions_user on submissions (user_id, id desc);
create index submissions_unsettled on submissions (status, lease_until) where status in (0, 1, 3, 5);

create table submission_moves (
  id bigint generated always as identity primary key,
  submission_id integer not null references submissions (id),
  from_status smallint,
  to_status smallint not null,
  lease_id uuid,
  note text not null default '',
  at timestamptz not null default now()
);
create index submission_moves_submission on submission_moves (submission_id, id);

-- At most the first 100 rows with errors, each with all its errors.
create table row_reports (
  submission_id integer not null references submissions (id) on delete cascade,
  row_number integer not null,
  total_count integer not null,
  errors jsonb not null,
  primary key (submission_id, row_number)
);

create table mails (
  id integer generated always as identity primary key,
  message_id text not null unique,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  sent_at timestamptz,
  parked_at timestamptz
);
create index mails_unsent on mails (id) where sent_at is null and parked_at is null;

-- Times of recurring work, and of jumps of the clock (after which the purge refuses to run).
create table marks (
  name text primary key,
  at timestamptz not null
);
