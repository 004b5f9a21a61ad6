-- A link to set a password knows its e-mail, because its life begins when that is handed over; links from
-- before keep their end. E-mails are retried by the time since the server first refused them, and in order
-- for each recipient.

alter table password_links
  add column mail_id integer references mails (id) on delete set null,
  add column life_seconds integer;
create index password_links_mail on password_links (mail_id);
alter table mails add column refused_since timestamptz;
create index mails_unsent_of_recipient on mails (recipient, id)
  where sent_at is null and parked_at is null;
create index mails_parked on mails (parked_at) where parked_at is not null;
