extension DeltaComposer {
  /// A piece of the present order.
  enum Piece: Sendable {
    /// Old rows that are still next to each other: `count` rows, the first of which had the old index `start`. A row
    /// with new content is a piece of its own, with its id in `changed`.
    case kept(start: Int, count: Int, changed: RowID?)
    /// A new row.
    case added(RowID)

    var count: Int {
      switch self {
      case .kept(_, let count, _): count
      case .added: 1
      }
    }

    /// A part of the piece. `rows` counts from the piece's first row.
    func part(_ rows: Range<Int>) -> Piece {
      switch self {
      case .added: self
      case .kept(let start, _, let changed):
        .kept(start: start + rows.lowerBound, count: rows.count, changed: changed)
      }
    }
  }

  /// The pieces of the present order, in chunks that know their number of rows. A search looks at the chunks, and then
  /// at the pieces of one chunk.
  struct Pieces: Sendable {
    private struct Chunk {
      var pieces: [Piece]
      var rows: Int

      /// Splits a piece so that one begins at a row of the chunk.
      ///
      /// - Returns: The number of the piece that begins there.
      @discardableResult
      mutating func split(at index: Int) -> Int {
        var rest = index
        for number in pieces.indices {
          if rest == 0 { return number }
          let piece = pieces[number]
          if rest < piece.count {
            pieces[number] = piece.part(0..<rest)
            pieces.insert(piece.part(rest..<piece.count), at: number + 1)
            return number + 1
          }
          rest -= piece.count
        }
        return pieces.count
      }
    }

    /// A chunk with more pieces is split in two.
    private static let chunkLimit = 128

    private var chunks: [Chunk] = []
    private(set) var count = 0
    /// The number of chunks and pieces that `take` and `insert` have looked at.
    private(set) var steps = 0

    var all: [Piece] { chunks.flatMap(\.pieces) }

    mutating func removeAll() {
      chunks = []
      count = 0
    }

    /// Adds a piece at the end. Joins it with the last one if their rows were next to each other before.
    mutating func append(_ piece: Piece) {
      if let last = chunks.indices.last {
        if case .kept(let start, let more, nil) = piece,
          case .kept(let before, let rows, nil)? = chunks[last].pieces.last, before + rows == start
        {
          chunks[last].pieces.removeLast()
          chunks[last].pieces.append(.kept(start: before, count: rows + more, changed: nil))
          chunks[last].rows += more
          return
        }
        if chunks[last].pieces.count < Self.chunkLimit {
          chunks[last].pieces.append(piece)
          chunks[last].rows += piece.count
          count += 1
          return
        }
      }
      chunks.append(Chunk(pieces: [piece], rows: piece.count))
      count += 1
    }

    /// Removes the row at `index` and returns it as a piece.
    mutating func take(at index: Int) -> Piece {
      let (chunk, rest) = chunk(of: index)
      let before = chunks[chunk].pieces.count
      let number = chunks[chunk].split(at: rest)
      chunks[chunk].split(at: rest + 1)
      let piece = chunks[chunk].pieces.remove(at: number)
      chunks[chunk].rows -= 1
      settle(chunk, before, number)
      return piece
    }

    mutating func insert(_ piece: Piece, at index: Int) {
      if chunks.isEmpty { chunks.append(Chunk(pieces: [], rows: 0)) }
      let (chunk, rest) = chunk(of: index)
      let before = chunks[chunk].pieces.count
      let number = chunks[chunk].split(at: rest)
      chunks[chunk].pieces.insert(piece, at: number)
      chunks[chunk].rows += piece.count
      settle(chunk, before, number)
    }

    /// The piece that contains the row at `index`, and the row's offset in it; nil past the last row.
    func find(_ index: Int) -> (piece: Piece, offset: Int)? {
      guard !chunks.isEmpty else { return nil }
      var (chunk, rest) = chunk(of: index)
      for piece in chunks[chunk].pieces {
        if rest < piece.count { return (piece, rest) }
        rest -= piece.count
      }
      return nil
    }

    /// The chunk of the row at `index`, and the index inside it; the last chunk for an index past all rows.
    private func chunk(of index: Int) -> (number: Int, index: Int) {
      var rest = index
      var number = 0
      while number < chunks.count - 1, rest >= chunks[number].rows {
        rest -= chunks[number].rows
        number += 1
      }
      return (number, rest)
    }

    /// Updates the counts after a change of a chunk. Removes an empty chunk and splits a long one.
    private mutating func settle(_ chunk: Int, _ piecesBefore: Int, _ number: Int) {
      let pieces = chunks[chunk].pieces
      count += pieces.count - piecesBefore
      steps += chunk + number
      if pieces.isEmpty {
        chunks.remove(at: chunk)
      } else if pieces.count > Self.chunkLimit {
        let second = Array(pieces[(pieces.count / 2)...])
        let rows = second.reduce(0) { $0 + $1.count }
        chunks.insert(Chunk(pieces: second, rows: rows), at: chunk + 1)
        chunks[chunk].pieces.removeLast(second.count)
        chunks[chunk].rows -= rows
      }
    }
  }
}
