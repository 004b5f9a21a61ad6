-- What is wrong with a file as a whole keeps its structure: `{"errorType": …, "message": …, "details": […]}`,
-- so that the page can list the details. `error_message` still holds all of it as one text; in rows from
-- before this migration it is all there is.

alter table submissions add column file_problem jsonb;
