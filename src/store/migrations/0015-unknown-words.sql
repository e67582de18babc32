-- Words of the prompt that the model did not know; null where it cannot tell.
alter table images add column unknown_words text[];
