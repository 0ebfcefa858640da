-- Whether an order took a piece of a limited stock: only that goes back when the order is not used after all.
alter table orders add column took_stock boolean not null default false;

-- Orders of now that may still give theirs back: those whose goods are limited took one, as far as can be known.
update orders o
   set took_stock = true
  from goods g
 where g.id = o.goods_id and g.stock >= 0 and o.status in (1, 3) and o.started_at is null
   and o.order_time > now() - interval '7 days';
