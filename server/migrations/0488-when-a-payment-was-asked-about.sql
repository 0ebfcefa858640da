-- It was written with each query and read by nobody: when the next one is due is the job's own.
alter table payments drop column queried_at;
