-- Smaller versions of photos, made by clients. One never changes. It is deleted together with its photo.
CREATE TABLE photo_rendition (
  photo INTEGER NOT NULL REFERENCES photo,
  -- The shorter side in pixels, or more than that of the photo.
  size INTEGER NOT NULL CHECK (size IN (96, 208, 1280)),
  -- jpeg or webp
  type TEXT NOT NULL CHECK (type IN ('jpeg', 'webp')),
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  bytes BLOB NOT NULL,
  PRIMARY KEY (photo, size)
) STRICT, WITHOUT ROWID;
