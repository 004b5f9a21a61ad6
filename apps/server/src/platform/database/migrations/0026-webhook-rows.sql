-- Puts the webhooks of companies, and the messages for them, behind the second wall, as 0014-company-rows
-- does with submissions. Tokens of companies wait for the next version: the versions before this one look up
-- a token on a connection that may still see another company. The tables are locked in the order in which
-- most transactions use them.

alter table webhook_deliveries enable row level security;
create policy own_company on webhook_deliveries
  using (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  );

alter table webhooks enable row level security;
create policy own_company on webhooks
  using (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  );
