-- The workers of each process. A process holds an advisory lock of its row's key while it lives; when the lock can be
-- had, the process is dead and its jobs are free for others.
create table worker_processes (
  lock_key   integer generated always as identity primary key,
  worker_ids text[] not null,
  started_at timestamptz not null default now()
);
