export const usage = `Checks CSV and Excel files against a data dictionary, cell by cell.

  veridict validate FILE --dictionary DICT.json|DICT.xlsx [--json] [--all]
                    [--errors OUT.xlsx] [--highlighted OUT.xlsx] [--on DAY]
  veridict correct FILE --dictionary DICT.json|DICT.xlsx --out OUT [--cause ID]... [--json]
                   [--choose ID=VALUE]... [--map ID:FROM=TO]... [--on DAY]
  veridict template OUT.xlsx --dictionary DICT.json|DICT.xlsx
  veridict infer FILE > DICT.json
  veridict convert DICT OUT.xlsx|OUT.json|OUT.schema.json
  veridict read FILE [--json]
  veridict upload FILE --dictionary NAME --url PORTAL [--wait] [--json]
  veridict receipt verify FILE RECEIPT.json (--url PORTAL | --keys JWKS.json)
  veridict audit verify [--head FILE] [--json]
  veridict check [--repair] [--json]
  veridict backup DIR [--keep N]
  veridict restore DIR
  veridict after-restore [--json]
  veridict migrate [--finish]
  veridict doctor [--json]
  veridict retry-storage
  veridict keys rotate
  veridict --version

  validate       checks whether a file fits its dictionary, and prints what is wrong, where, and how
                 to correct it
  correct        writes a copy in which first the structure of the table is right (headings, order of
                 columns, rows above them), then bad cells have their suggestions, and says on stderr
                 what was done and left out; never over the file or the dictionary
  template       writes a blank workbook to fill in, never over an existing file
  infer          prints the dictionary that a sample suggests, and the reasons on stderr
  convert        writes a dictionary as a workbook, as JSON or as a Table Schema, by the ending of OUT,
                 with its rules; never over the dictionary itself
  read           prints the table as it is read, without checking it
  upload         uploads a file to a portal, with the token in the environment variable VERIDICT_TOKEN
  receipt verify says whether a file is the one of a receipt, and whether the portal signed it as it is
  audit verify   says whether the audit trail was changed in the database, past the portal; needs its
                 DATABASE_URL or DATA_DIR; also while it runs
  check          compares the submissions and the stored files of the portal, with its settings, also
                 while it runs: what is missing, damaged or left over, and what to do
  backup         copies database and files of the portal into a new folder, also while it runs, and
                 reads the copy back
  restore        fills an empty DATA_DIR, or the empty database at DATABASE_URL, and the storage with
                 a backup; the portal must not run
  after-restore  settles a database that other tools have set back, such as pg_dump or a point in time, and
                 lists the files that only one side has; the portal must not run
  migrate        updates the schema of the portal's database, as each start does; programs of the version
                 before go on working, and can be started again
  doctor         checks what the portal needs: database, rights, tables, storage, mail server, clock,
                 proxy, secrets, and says what to do
  retry-storage  lets the portal store all files with a storage error again, within half a minute
  keys rotate    signs receipts with a new key from now on; earlier keys stay published

  --dictionary   the fields in order: { "name", "fields": [{ "itemName", "description", "category",
                 "ruleType", "isRequired", "ruleConfig" }] } as JSON, also with the rules between
                 them ("rules", "exempt", "blankTexts", "lists"), the workbook that the portal
                 exports, or a Table Schema (Frictionless); constraints of a Table Schema that have
                 no rule here are printed on stderr; for upload, its name in the portal
  --json         the result as JSON, for programs
  --all          every row with errors instead of the first 10 (with --json: 100)
  --on           the day of the check, yyyy-MM-dd, for rules that hold from a day on or name today;
                 by default today, in UTC
  --errors       also writes a workbook with one row per bad cell
  --highlighted  also writes the file as a workbook in which the bad cells are marked; neither is
                 written over the file, the dictionary or the other
  --out          the path of the corrected copy
  --url          the address of the portal; for receipt verify, whose published keys count, never the
                 address in the receipt
  --head         also compares the audit trail with this head: a file of .audit-heads/ in the portal's
                 storage, best a copy that was kept elsewhere
  --wait         waits for the result and prints it
  --keep         makes the backup in a new folder in DIR, named by the time, and deletes all but the
                 newest N, unless files were missing
  --keys         those keys as a file, for a check without network
  --finish       with migrate: also removes and renames what only older versions use; refused while
                 one of them runs, and there is no way back to them then
  --repair       deletes left-over sources older than an hour, and releases leases that ended
  --cause        corrects only this cause, by its id in validate --json, or in that of the copy once its
                 structure is right; may be repeated
  --choose       answers the question of a cause with one of its choices; may be repeated
  --map          answers the question of a cause for one of its values; may be repeated

Exit code: 0 the file passed (correct: its copy does; receipt verify: it is the file; upload: it was
uploaded, with --wait accepted; audit verify: nothing was changed; check: nothing is missing or
damaged; doctor: no fault; backup, restore: every file is there; migrate: the schema is up to date),
1 it did not, 2 wrong arguments (receipt verify, audit verify, check: it cannot be found out; backup,
restore, after-restore: nothing was done; upload: anything else, such as a wrong token).
`
