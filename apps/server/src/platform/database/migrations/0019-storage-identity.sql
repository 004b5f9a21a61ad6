-- The id of the storage that belongs to this database, at most one. `is_confirmed`: the storage has it, too;
-- until then a crash may have come between the two. Storage from before this table is recognized by the
-- files in it.

create table storage_identity (
  only_row boolean primary key default true check (only_row),
  id text not null,
  is_confirmed boolean not null default false,
  created_at timestamptz not null default now()
);
