-- When the asking agent's process was started, as the system counts it: with its pid its identity.
-- NULL where no agent's own client asked.
ALTER TABLE batches ADD COLUMN agent_started INTEGER;
