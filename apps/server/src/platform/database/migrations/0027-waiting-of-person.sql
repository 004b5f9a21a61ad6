-- Finds the last waiting file of a person or token, from which the turn of the next one is read.

create index submissions_waiting_of_person on submissions (company_id, user_id, token_id, turn)
  where status = 0;
