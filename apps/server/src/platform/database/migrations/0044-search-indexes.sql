-- additive, concurrently

-- It built the indexes of 0043-search-in-slices. 0050-settled-search-indexes builds smaller ones, and removes
-- these from databases that have them.
