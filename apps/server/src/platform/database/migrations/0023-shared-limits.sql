-- What all servers count together: attempts in leaky buckets, and downloads in flight. Without a log, since
-- both may be lost in a crash of the database: they are minutes old at most.

-- Space in each page lets a bucket be updated in place, without the index.
create unlogged table rate_limits (
  key bytea primary key,
  empties_at timestamptz not null,
  granted integer not null
) with (fillfactor = 70);
create unlogged table download_slots (
  person text not null,
  slot integer not null,
  id uuid not null,
  expires_at timestamptz not null,
  primary key (person, slot)
);
