-- What the portal generates for all of its servers: the API key and the secret that signs tokens.

create table secrets (name text primary key, value text not null);
