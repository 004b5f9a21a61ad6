-- Finds companies with a message that failed and waits, without reading all messages that wait.

create index webhook_deliveries_failed on webhook_deliveries (company_id)
  where last_error is not null and delivered_at is null and given_up_at is null;
