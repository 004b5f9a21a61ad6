-- additive

-- The rules between the cells of a dictionary, with its exemption, blank texts and lists. Rows never change:
-- a dictionary refers to its present rule book, a version to the one that it had; null is the empty one. The
-- trigger is for versions that a program of an earlier version writes, which does not know the column.

create table rule_books (
  id integer generated always as identity primary key,
  content jsonb not null
);
create trigger never_changes before update or delete on rule_books
  for each row execute function refuse_change();
alter table dictionaries add column rule_book_id integer references rule_books (id);
alter table dictionary_versions add column rule_book_id integer references rule_books (id);
create function keep_rule_book() returns trigger language plpgsql as $$
  begin
    select rule_book_id into new.rule_book_id from dictionaries where id = new.dictionary_id;
    return new;
  end
$$;
create trigger keeps_rule_book before insert on dictionary_versions
  for each row execute function keep_rule_book();
