-- Who a user is at an identity provider, and the tickets that the login page exchanges for a session after a
-- single sign-on. Of tickets only hashes are stored.

create table user_identities (
  user_id integer not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, issuer),
  unique (issuer, subject)
);
create table sign_on_tickets (
  token_hash text primary key,
  user_id integer not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
