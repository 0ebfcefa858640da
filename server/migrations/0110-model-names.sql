-- What a model is called beside its designation (spec 2 §3, "Model").
alter table device_models add column name text not null default '' check (length(name) <= 64);
