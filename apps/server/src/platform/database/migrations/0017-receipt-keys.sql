-- Ed25519 keys that sign receipts, as members of a JSON Web Key (RFC 8037). The newest signs; all stay, so
-- that the receipts of earlier ones can be checked.

create table receipt_keys (
  id text primary key,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);
