-- additive

-- What a change of a dictionary would do to uploads: the draft that is tried, the version that it is compared
-- with, and a row for each file that was validated with both. Calls of companies see none of it.

create table impacts (
  id integer generated always as identity primary key,
  dictionary_id integer not null references dictionaries (id),
  dictionary_version_id integer not null references dictionary_versions (id),
  draft jsonb not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  done_at timestamptz,
  lease_until timestamptz
);
create index impacts_waiting on impacts (id) where done_at is null;
create table impact_files (
  impact_id integer not null references impacts (id) on delete cascade,
  submission_id integer not null references submissions (id),
  status_before smallint not null,
  outcome jsonb,
  primary key (impact_id, submission_id)
);
alter table impacts enable row level security;
create policy own_company on impacts
  using ((select current_setting('veridict.company', true) = 'all'))
  with check ((select current_setting('veridict.company', true) = 'all'));
alter table impact_files enable row level security;
create policy own_company on impact_files
  using ((select current_setting('veridict.company', true) = 'all'))
  with check ((select current_setting('veridict.company', true) = 'all'));
