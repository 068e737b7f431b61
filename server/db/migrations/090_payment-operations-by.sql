-- Whose word a refund, capture or cancellation was: the provider carries it out, and a person asked for it. Null: nobody's but the clock's.
alter table payment_operations add column asked_by text;
