-- additive, concurrently

-- For each claim and each upload: the few companies that are paused.
create index concurrently if not exists companies_paused
  on companies (id) where paused_at is not null and deleted_at is null;

-- For operators: how many messages were given up.
create index concurrently if not exists webhook_deliveries_given_up
  on webhook_deliveries (company_id) where given_up_at is not null;
