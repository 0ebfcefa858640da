-- A folder of Windows or macOS takes letters of either case for the same: a key is taken in all of them.
create index pictures_lower_key on pictures (lower(key));
