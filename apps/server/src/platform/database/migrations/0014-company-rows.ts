const seesAll = `(select current_setting('veridict.company', true) = 'all')`
const ownCompany =
  `company_id = ` + `(select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)`

const ofOwnSubmission = (table: string) =>
  `${seesAll} or exists (select from submissions where submissions.id = ${table}.submission_id)`

const protect = (table: string, sees: string, mayAdd = sees) => [
  `alter table ${table} enable row level security`,
  `create policy own_company on ${table} using (${sees}) with check (${mayAdd})`,
]

/**
 * The second wall between companies. A connection says whose rows it sees (`veridict.company`: the id of a
 * company, or `all`), and the database hides the others, whatever the statement says; a connection that says
 * nothing sees none. The owner of the tables sees all. Written so that the setting is read once for each
 * statement. See docs/ARCHITECTURE.md#second-wall.
 */
export const statements = [
  ...['submissions', 'company_dictionaries'].flatMap((table) =>
    protect(table, `${seesAll} or ${ownCompany}`),
  ),
  ...['row_reports', 'report_faults', 'submission_causes'].flatMap((table) =>
    protect(table, ofOwnSubmission(table)),
  ),
  // Added in the statement that adds its submission, which the policy would not see yet.
  ...protect('submission_moves', ofOwnSubmission('submission_moves'), 'true'),
  // E-mails have the links that set passwords.
  ...['mails', 'password_links'].flatMap((table) => protect(table, seesAll)),

  // The one thing that an upload must know of other companies.
  `create function first_waiting_turn() returns integer
  language sql stable security definer set search_path = public, pg_temp
  as 'select min(turn) from submissions where status = 0'`,
]
