-- Where a session began, so that its owner recognizes it; '' in sessions from before.

alter table sessions
  add column device text not null default '',
  add column address text not null default '';
