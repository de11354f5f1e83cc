#include "compute/list_view/superstring.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "compute/list_view/seeded_hash.h"

namespace sheaf::inline v1::internal {
namespace {

using Node = int32_t;
constexpr Node kRoot = 0;
constexpr int32_t kNone = -1;

/// An array of integers in pool memory.
template <typename T>
class Integers {
 public:
  static StatusOr<Integers> Make(int64_t size, T value, MemoryPool* pool) {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer,
                           MutableBuffer::Allocate(size * static_cast<int64_t>(sizeof(T)), pool));
    std::fill_n(buffer.as<T>(), size, value);
    return Integers(std::move(buffer));
  }
  T& operator[](int64_t i) noexcept { return data_[i]; }
  const T& operator[](int64_t i) const noexcept { return data_[i]; }
  Buffer Finish() && noexcept { return std::move(buffer_).Finish(); }

 private:
  explicit Integers(MutableBuffer buffer) noexcept
      : buffer_(std::move(buffer)), data_(buffer_.as<T>()) {}
  MutableBuffer buffer_;
  T* data_;
};

/// (node, symbol) -> node, by linear probing.
class Edges {
 public:
  static StatusOr<Edges> Make(int64_t most, MemoryPool* pool) {
    const auto capacity =
        static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most) * 3 / 2 + 1));
    SHEAF_ASSIGN_OR_RETURN(auto keys, Integers<uint64_t>::Make(capacity, kEmpty, pool));
    SHEAF_ASSIGN_OR_RETURN(auto targets, Integers<Node>::Make(capacity, kNone, pool));
    return Edges(std::move(keys), std::move(targets), static_cast<uint64_t>(capacity) - 1);
  }

  Node Find(Node from, uint32_t symbol) const noexcept { return targets_[Slot(Key(from, symbol))]; }
  /// The target of the edge; `next` becomes it where there is none yet.
  Node FindOrAdd(Node from, uint32_t symbol, Node next) noexcept {
    const uint64_t key = Key(from, symbol);
    const int64_t slot = Slot(key);
    if (keys_[slot] == kEmpty) {
      keys_[slot] = key;
      targets_[slot] = next;
    }
    return targets_[slot];
  }

 private:
  static constexpr uint64_t kEmpty = std::numeric_limits<uint64_t>::max();

  Edges(Integers<uint64_t> keys, Integers<Node> targets, uint64_t mask) noexcept
      : keys_(std::move(keys)), targets_(std::move(targets)), mask_(mask) {}
  static uint64_t Key(Node from, uint32_t symbol) noexcept {
    return static_cast<uint64_t>(from) << 32 | symbol;
  }
  int64_t Slot(uint64_t key) const noexcept {
    uint64_t slot = SeededHash(key) & mask_;
    while (keys_[static_cast<int64_t>(slot)] != key &&
           keys_[static_cast<int64_t>(slot)] != kEmpty) {
      slot = (slot + 1) & mask_;
    }
    return static_cast<int64_t>(slot);
  }

  Integers<uint64_t> keys_;
  Integers<Node> targets_;
  uint64_t mask_;
};

/// The automaton of all pieces. A state is a prefix of some piece; `fail` leads to the longest
/// proper suffix of it that is a prefix too.
class Automaton {
 public:
  static StatusOr<Automaton> Make(std::span<const uint32_t> symbols,
                                  std::span<const RowRange> pieces, int64_t num_symbols,
                                  MemoryPool* pool) {
    const int64_t most_nodes = num_symbols + 1;
    const auto num_pieces = static_cast<int64_t>(pieces.size());
    SHEAF_ASSIGN_OR_RETURN(auto edges, Edges::Make(num_symbols, pool));
    SHEAF_ASSIGN_OR_RETURN(auto begins, Integers<int64_t>::Make(num_pieces + 1, 0, pool));
    SHEAF_ASSIGN_OR_RETURN(auto states, Integers<Node>::Make(num_symbols, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto fail, Integers<Node>::Make(most_nodes, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto last_piece, Integers<int32_t>::Make(most_nodes, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto by_depth, Integers<Node>::Make(most_nodes, kNone, pool));
    int64_t max_depth = 0;
    for (const RowRange& piece : pieces) max_depth = std::max(max_depth, piece.length);
    SHEAF_ASSIGN_OR_RETURN(auto level_begins, Integers<int64_t>::Make(max_depth + 1, 0, pool));
    Automaton automaton(symbols, pieces, std::move(edges), std::move(begins), std::move(states),
                        std::move(fail), std::move(last_piece), std::move(by_depth),
                        std::move(level_begins), max_depth);
    automaton.AddPieces();
    SHEAF_RETURN_IF_ERROR(automaton.AddFailures(pool));
    return automaton;
  }

  int64_t num_pieces() const noexcept { return static_cast<int64_t>(pieces_.size()); }
  int64_t length(int64_t piece) const noexcept {
    return pieces_[static_cast<size_t>(piece)].length;
  }
  /// The state after symbols [0, i] of the piece.
  Node state(int64_t piece, int64_t i) const noexcept { return states_[begins_[piece] + i]; }
  Node last_state(int64_t piece) const noexcept { return state(piece, length(piece) - 1); }
  /// Where the piece's states begin among those of all pieces.
  int64_t first_state(int64_t piece) const noexcept { return begins_[piece]; }
  Node fail(Node node) const noexcept { return fail_[node]; }
  Node num_nodes() const noexcept { return num_nodes_; }
  /// The longest whole piece that the state ends with, or kNone. Of equal pieces the first.
  int32_t longest_piece(Node node) const noexcept { return last_piece_[node]; }
  /// Symbols of the longest piece: the depth of the deepest states.
  int64_t max_depth() const noexcept { return max_depth_; }
  /// The states of one depth, from 1 on.
  std::span<const Node> level(int64_t depth) const noexcept {
    const int64_t begin = level_begins_[depth - 1];
    return {&by_depth_[begin], static_cast<size_t>(level_begins_[depth] - begin)};
  }

 private:
  Automaton(std::span<const uint32_t> symbols, std::span<const RowRange> pieces, Edges edges,
            Integers<int64_t> begins, Integers<Node> states, Integers<Node> fail,
            Integers<int32_t> last_piece, Integers<Node> by_depth, Integers<int64_t> level_begins,
            int64_t max_depth) noexcept
      : symbols_(symbols),
        pieces_(pieces),
        edges_(std::move(edges)),
        begins_(std::move(begins)),
        states_(std::move(states)),
        fail_(std::move(fail)),
        last_piece_(std::move(last_piece)),
        by_depth_(std::move(by_depth)),
        level_begins_(std::move(level_begins)),
        max_depth_(max_depth) {}

  void AddPieces() noexcept {
    int64_t at = 0;
    for (int64_t piece = 0; piece < num_pieces(); ++piece) {
      begins_[piece] = at;
      Node node = kRoot;
      for (int64_t i = 0; i < length(piece); ++i) {
        node = edges_.FindOrAdd(node, symbol(piece, i), num_nodes_);
        num_nodes_ += node == num_nodes_;
        states_[at++] = node;
      }
      if (last_piece_[node] == kNone) last_piece_[node] = static_cast<int32_t>(piece);
    }
    begins_[num_pieces()] = at;
  }

  /// Level by level, as a state's failure is shallower than the state.
  Status AddFailures(MemoryPool* pool) {
    SHEAF_ASSIGN_OR_RETURN(auto longest_first, Integers<int32_t>::Make(num_pieces(), 0, pool));
    std::iota(&longest_first[0], &longest_first[0] + num_pieces(), 0);
    std::sort(&longest_first[0], &longest_first[0] + num_pieces(), [&](int32_t a, int32_t b) {
      return length(a) != length(b) ? length(a) > length(b) : a < b;
    });
    fail_[kRoot] = kRoot;
    int64_t done = 0;
    int64_t deep_enough = num_pieces();
    for (int64_t depth = 0; depth < max_depth_; ++depth) {
      while (length(longest_first[deep_enough - 1]) <= depth) --deep_enough;
      for (int64_t k = 0; k < deep_enough; ++k) {
        const int64_t piece = longest_first[k];
        const Node node = state(piece, depth);
        if (fail_[node] != kNone) continue;
        fail_[node] = depth == 0 ? kRoot : FailureOf(state(piece, depth - 1), symbol(piece, depth));
        if (last_piece_[node] == kNone) last_piece_[node] = last_piece_[fail_[node]];
        by_depth_[done++] = node;
      }
      level_begins_[depth + 1] = done;
    }
    return OkStatus();
  }
  Node FailureOf(Node parent, uint32_t symbol) const noexcept {
    for (Node from = fail_[parent];; from = fail_[from]) {
      if (const Node to = edges_.Find(from, symbol); to != kNone) return to;
      if (from == kRoot) return kRoot;
    }
  }
  uint32_t symbol(int64_t piece, int64_t i) const noexcept {
    return symbols_[static_cast<size_t>(pieces_[static_cast<size_t>(piece)].offset + i)];
  }

  std::span<const uint32_t> symbols_;
  std::span<const RowRange> pieces_;
  Edges edges_;
  Integers<int64_t> begins_;
  Integers<Node> states_;
  Integers<Node> fail_;
  Integers<int32_t> last_piece_;
  Integers<Node> by_depth_;         ///< But for the root, the shallowest first.
  Integers<int64_t> level_begins_;  ///< Of each depth, less 1.
  int64_t max_depth_;
  Node num_nodes_ = 1;
};

/// Where a piece lies within another.
struct Hosts {
  Integers<int32_t> host;  ///< kNone: nowhere.
  Integers<int64_t> at;    ///< The position in the host.

  static StatusOr<Hosts> Find(const Automaton& automaton, MemoryPool* pool) {
    const int64_t n = automaton.num_pieces();
    SHEAF_ASSIGN_OR_RETURN(auto host, Integers<int32_t>::Make(n, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto at, Integers<int64_t>::Make(n, 0, pool));
    Hosts hosts{std::move(host), std::move(at)};
    for (int64_t piece = 0; piece < n; ++piece) hosts.AddWithin(automaton, piece);
    return hosts;
  }

 private:
  /// Of the pieces that end at a symbol of this one only the longest is taken down: shorter ones
  /// lie within that.
  void AddWithin(const Automaton& automaton, int64_t piece) noexcept {
    const int64_t length = automaton.length(piece);
    const int32_t equal = automaton.longest_piece(automaton.last_state(piece));
    if (equal != piece && automaton.length(equal) == length) {
      host[piece] = equal;
      return;
    }
    for (int64_t i = 0; i < length; ++i) {
      const Node node = automaton.state(piece, i);
      const int32_t within = automaton.longest_piece(i + 1 < length ? node : automaton.fail(node));
      if (within == kNone || host[within] != kNone) continue;
      host[within] = static_cast<int32_t>(piece);
      at[within] = i + 1 - automaton.length(within);
    }
  }
};

/// Joins the pieces that lie nowhere else, longest overlap first.
class Joiner {
 public:
  static StatusOr<Joiner> Make(const Automaton& automaton, const Hosts& hosts, MemoryPool* pool) {
    const int64_t n = automaton.num_pieces();
    const int64_t nodes = automaton.num_nodes();
    const int64_t states = automaton.first_state(n);
    SHEAF_ASSIGN_OR_RETURN(auto heads, Integers<int32_t>::Make(nodes, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto beyond, Integers<int32_t>::Make(states, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto owners, Integers<int32_t>::Make(states, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto ends, Integers<int32_t>::Make(2 * nodes, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto pieces, Integers<int32_t>::Make(5 * n, kNone, pool));
    SHEAF_ASSIGN_OR_RETURN(auto overlaps, Integers<int64_t>::Make(n, 0, pool));
    Joiner joiner(automaton, hosts, std::move(heads), std::move(beyond), std::move(owners),
                  std::move(ends), std::move(pieces), std::move(overlaps));
    joiner.AddPieces();
    joiner.Join();
    return joiner;
  }

  bool stands_alone(int64_t piece) const noexcept { return hosts_.host[piece] == kNone; }
  bool has_left(int64_t piece) const noexcept { return left(piece) != kNone; }
  int32_t right(int64_t piece) const noexcept { return pieces_[n_ + piece]; }
  /// Symbols that the piece shares with the one to its left.
  int64_t overlap(int64_t piece) const noexcept { return overlaps_[piece]; }

 private:
  Joiner(const Automaton& automaton, const Hosts& hosts, Integers<int32_t> heads,
         Integers<int32_t> beyond, Integers<int32_t> owners, Integers<int32_t> ends,
         Integers<int32_t> pieces, Integers<int64_t> overlaps) noexcept
      : automaton_(automaton),
        hosts_(hosts),
        n_(automaton.num_pieces()),
        starting_(std::move(heads)),
        next_starting_(std::move(beyond)),
        owners_(std::move(owners)),
        ending_(std::move(ends)),
        pieces_(std::move(pieces)),
        overlaps_(std::move(overlaps)) {}

  // Of a piece: what is to its left and right, the first piece of the chain it is the last of, the
  // last of the chain it is the first of, and the next one in the list of a state it ends with.
  int32_t left(int64_t piece) const noexcept { return pieces_[piece]; }
  int32_t& left(int64_t piece) noexcept { return pieces_[piece]; }
  int32_t& right(int64_t piece) noexcept { return pieces_[n_ + piece]; }
  int32_t& first_of_chain(int64_t piece) noexcept { return pieces_[2 * n_ + piece]; }
  int32_t& last_of_chain(int64_t piece) noexcept { return pieces_[3 * n_ + piece]; }
  int32_t& next_ending(int64_t piece) noexcept { return pieces_[4 * n_ + piece]; }
  int32_t& first_ending(Node node) noexcept { return ending_[2 * int64_t{node}]; }
  int32_t& last_ending(Node node) noexcept { return ending_[2 * int64_t{node} + 1]; }

  /// Each piece starts with the states of its prefixes, and ends with those on its way of failures.
  void AddPieces() noexcept {
    for (int64_t piece = n_ - 1; piece >= 0; --piece) {  // Backwards: lists begin with the lowest.
      if (!stands_alone(piece)) continue;
      for (int64_t i = 0; i + 1 < automaton_.length(piece); ++i) {
        const auto entry = static_cast<int32_t>(automaton_.first_state(piece) + i);
        const Node node = automaton_.state(piece, i);
        owners_[entry] = static_cast<int32_t>(piece);
        next_starting_[entry] = std::exchange(starting_[node], entry);
      }
    }
    for (int64_t piece = 0; piece < n_; ++piece) {
      if (!stands_alone(piece)) continue;
      first_of_chain(piece) = last_of_chain(piece) = static_cast<int32_t>(piece);
      AddEnding(automaton_.fail(automaton_.last_state(piece)), static_cast<int32_t>(piece));
    }
  }

  void AddEnding(Node node, int32_t piece) noexcept {
    next_ending(piece) = kNone;
    if (first_ending(node) == kNone) {
      first_ending(node) = piece;
    } else {
      next_ending(last_ending(node)) = piece;
    }
    last_ending(node) = piece;
  }

  void Join() noexcept {
    for (int64_t depth = automaton_.max_depth(); depth > 0; --depth) {
      for (const Node node : automaton_.level(depth)) JoinAt(node, depth);
    }
  }

  void JoinAt(Node node, int64_t depth) noexcept {
    for (int32_t piece = first_ending(node); piece != kNone;) {
      const int32_t next = next_ending(piece);
      const int32_t other = TakeStarting(node, first_of_chain(piece));
      if (other == kNone) {
        AddEnding(automaton_.fail(node), piece);
      } else {
        JoinPieces(piece, other, depth);
      }
      piece = next;
    }
  }

  /// A piece that starts with the state and has nothing to its left, but not this one, which would
  /// close a ring. Pieces that have are taken off the list on the way.
  int32_t TakeStarting(Node node, int32_t but_not) noexcept {
    int32_t* link = &starting_[node];
    while (*link != kNone) {
      const int32_t piece = owners_[*link];
      if (has_left(piece)) {
        *link = next_starting_[*link];
      } else if (piece == but_not) {
        link = &next_starting_[*link];
      } else {
        return piece;
      }
    }
    return kNone;
  }

  void JoinPieces(int32_t piece, int32_t other, int64_t overlap) noexcept {
    right(piece) = other;
    left(other) = piece;
    overlaps_[other] = overlap;
    const int32_t first = first_of_chain(piece);
    const int32_t last = last_of_chain(other);
    first_of_chain(last) = first;
    last_of_chain(first) = last;
  }

  const Automaton& automaton_;
  const Hosts& hosts_;
  int64_t n_;
  Integers<int32_t> starting_;  ///< Of a state: the first entry of those that start with it.
  Integers<int32_t> next_starting_;
  Integers<int32_t> owners_;  ///< Of an entry: its piece.
  Integers<int32_t> ending_;  ///< Of a state: first and last of the pieces that end with it.
  Integers<int32_t> pieces_;
  Integers<int64_t> overlaps_;
};

/// How many of the pieces an automaton of so many bytes takes.
int64_t PiecesWithin(std::span<const RowRange> pieces, int64_t most_bytes, int64_t* num_symbols) {
  const int64_t most =
      std::min<int64_t>(most_bytes / kSuperstringBytes, std::numeric_limits<Node>::max() - 2);
  int64_t n = 0;
  for (const RowRange& piece : pieces) {
    if (piece.length > most - *num_symbols) break;
    *num_symbols += piece.length;
    ++n;
  }
  return n;
}

/// Lays the chains out one after the other, in the order of their first pieces.
Status LayOutChains(std::span<const RowRange> pieces, const Joiner& joiner,
                    Integers<int64_t>* positions, RangeList* ranges) {
  for (size_t head = 0; head < pieces.size(); ++head) {
    const auto first = static_cast<int32_t>(head);
    if (!joiner.stands_alone(first) || joiner.has_left(first)) continue;
    for (int32_t piece = first; piece != kNone; piece = joiner.right(piece)) {
      const RowRange& symbols = pieces[static_cast<size_t>(piece)];
      const int64_t overlap = joiner.overlap(piece);
      (*positions)[piece] = ranges->total() - overlap;
      SHEAF_RETURN_IF_ERROR(ranges->Add({symbols.offset + overlap, symbols.length - overlap}));
    }
  }
  return OkStatus();
}

/// A piece's host may have a host itself; the way to the one that stands alone is walked once.
void PlaceWithinHosts(int64_t n, Hosts* hosts, Integers<int64_t>* positions) noexcept {
  for (int64_t piece = 0; piece < n; ++piece) {
    int64_t at = 0;
    int64_t last = piece;
    for (; hosts->host[last] != kNone; last = hosts->host[last]) at += hosts->at[last];
    if (last == piece) continue;
    (*positions)[piece] = (*positions)[last] + at;
    for (int64_t on_the_way = piece; on_the_way != last;) {
      const int64_t next = hosts->host[on_the_way];
      hosts->host[on_the_way] = static_cast<int32_t>(last);
      at -= std::exchange(hosts->at[on_the_way], at);
      on_the_way = next;
    }
  }
}

}  // namespace

StatusOr<Superstring> GreedySuperstring(std::span<const uint32_t> symbols,
                                        std::span<const RowRange> pieces, int64_t most_bytes,
                                        MemoryPool* pool) {
  Superstring superstring(pool);
  int64_t num_symbols = 0;
  superstring.num_pieces = PiecesWithin(pieces, most_bytes, &num_symbols);
  const auto n = static_cast<size_t>(superstring.num_pieces);
  SHEAF_ASSIGN_OR_RETURN(auto positions,
                         Integers<int64_t>::Make(static_cast<int64_t>(pieces.size()), 0, pool));
  if (n > 0) {
    const std::span<const RowRange> taken = pieces.first(n);
    SHEAF_ASSIGN_OR_RETURN(const Automaton automaton,
                           Automaton::Make(symbols, taken, num_symbols, pool));
    SHEAF_ASSIGN_OR_RETURN(Hosts hosts, Hosts::Find(automaton, pool));
    SHEAF_ASSIGN_OR_RETURN(const Joiner joiner, Joiner::Make(automaton, hosts, pool));
    SHEAF_RETURN_IF_ERROR(LayOutChains(taken, joiner, &positions, &superstring.ranges));
    PlaceWithinHosts(superstring.num_pieces, &hosts, &positions);
  }
  for (size_t piece = n; piece < pieces.size(); ++piece) {
    positions[static_cast<int64_t>(piece)] = superstring.ranges.total();
    SHEAF_RETURN_IF_ERROR(superstring.ranges.Add(pieces[piece]));
  }
  superstring.positions = std::move(positions).Finish();
  return superstring;
}

}  // namespace sheaf::inline v1::internal
