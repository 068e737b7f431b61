-- When a site is open, in the form that the shop's hours have, and the dates on which it is closed. What was written in words stays beside
-- it: nothing is read out of that.

alter table sites
  add column hours jsonb not null default '[]',       -- [{day 1..7, from, to}] on the company's clock; none: nobody said
  add column closed_days jsonb not null default '[]'; -- ["YYYY-MM-DD"]
