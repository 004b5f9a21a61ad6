-- additive

-- What a company answered to questions about its files, for the next time: of a column or, without one, of
-- the structure. A map has values of cells. They are deleted with the company's right to use the dictionary,
-- and with the field.

create table remembered_answers (
  id integer generated always as identity primary key,
  company_id integer not null,
  dictionary_id integer not null,
  field_id integer references fields (id) on delete cascade,
  kind text not null,
  question text,
  choice text,
  map jsonb,
  foreign key (company_id, dictionary_id) references company_dictionaries on delete cascade,
  unique nulls not distinct (company_id, dictionary_id, field_id, kind)
);
create index remembered_answers_field on remembered_answers (field_id);
alter table remembered_answers enable row level security;
create policy own_company on remembered_answers
  using (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  );
