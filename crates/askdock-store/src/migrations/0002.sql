CREATE INDEX batches_of_turn ON batches (turn, number) WHERE turn IS NOT NULL;
