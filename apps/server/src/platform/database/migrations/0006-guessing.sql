-- Wrong passwords of the last 24 hours, in the database so that all servers count together and no restart
-- forgets them; and the addresses that logged in, which may try longer. `account` is a user, or the e-mail
-- where there is none, so that both get the same replies. See docs/BEHAVIOUR.md#guessing.

create table wrong_passwords (
  id bigint generated always as identity primary key,
  account text not null,
  address text not null,
  at timestamptz not null default clock_timestamp()
);
create index wrong_passwords_account on wrong_passwords (account, at);

create table login_addresses (
  user_id integer not null references users (id),
  address text not null,
  last_at timestamptz not null default now(),
  primary key (user_id, address)
);

-- When the e-mail of the cap was sent last.
alter table users add column guessing_mail_at timestamptz;
