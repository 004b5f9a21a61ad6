-- The process that holds a lease, by the number of its advisory lock, in a column of its own; before, the
-- first eight digits of `lease_id` held it. A lease given before has null here and ends by its time.

alter table submissions add column lease_holder integer;
