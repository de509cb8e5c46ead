package dev.rollcall.linux.munge;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Makes and verifies credentials with one munged. A call blocks: some milliseconds, and when munged
 * hangs until libmunge gives up, after some seconds (it tries to connect, to send and to receive
 * for 2 s each). Not for event loops, nor for virtual threads, whose carriers it would hold.
 * Thread-safe.
 *
 * @param socket where munged listens
 */
public record Munge(Path socket) {
  /** Where munged listens unless it is told otherwise, munged(8). */
  public static final Path DEFAULT_SOCKET = Path.of("/run/munge/munge.socket.2");

  private static final Pattern CREDENTIAL = Pattern.compile("MUNGE:[A-Za-z0-9+/=]{1,65536}:");

  private static final int SUCCESS = 0;
  private static final int BAD_ARGUMENT = 2;
  private static final int NO_MEMORY = 5;
  private static final int SOCKET_PROBLEM = 6;
  private static final int TIMED_OUT = 7;
  private static final int EXPIRED = 15;
  private static final int REWOUND = 16;
  private static final int REPLAYED = 17;

  /**
   * A credential of this process's effective user.
   *
   * @param payload is in it, readable by every holder of the key
   * @param ttl whole seconds, from 1; munged's own limit is an hour unless it is told otherwise
   */
  public Encoded encode(String payload, Duration ttl) {
    Libmunge library = Libmunge.loaded().orElse(null);
    if (library == null) {
      return new Encoded.Unavailable(notInstalled());
    }
    try (var context = new Context(library)) {
      int problem = context.prepare();
      if (problem == SUCCESS) {
        problem = library.set(context.pointer, Libmunge.TTL, Math.toIntExact(ttl.toSeconds()));
      }
      MemorySegment made = context.arena.allocate(ADDRESS);
      if (problem == SUCCESS) {
        byte[] text = payload.getBytes(UTF_8);
        MemorySegment bytes = context.arena.allocateFrom(JAVA_BYTE, text);
        problem = library.encode(made, context.pointer, bytes, text.length);
      }
      return problem == SUCCESS
          ? new Encoded.Credential(context.text(made))
          : new Encoded.Unavailable(unavailable(context.problem(problem)));
    }
  }

  /** Asks munged who made a credential. It answers Valid once. */
  public Decoded decode(String credential) {
    Libmunge library = Libmunge.loaded().orElse(null);
    if (library == null) {
      return new Decoded.Unavailable(notInstalled());
    }
    if (!CREDENTIAL.matcher(credential).matches()) {
      return new Decoded.Bad("it does not have the form of a credential");
    }
    try (var context = new Context(library)) {
      int problem = context.prepare();
      return problem == SUCCESS ? decode(library, context, credential) : decoded(context, problem);
    }
  }

  private Decoded decode(Libmunge library, Context context, String credential) {
    Arena arena = context.arena;
    MemorySegment payload = arena.allocate(ADDRESS);
    MemorySegment length = arena.allocate(JAVA_INT);
    MemorySegment uid = arena.allocate(JAVA_INT);
    int problem =
        library.decode(
            arena.allocateFrom(credential, US_ASCII), context.pointer, payload, length, uid);
    // There is a payload for what expired, was rewound or replayed as well.
    byte[] bytes = context.bytes(payload, length.get(JAVA_INT, 0));
    return problem == SUCCESS
        ? new Decoded.Valid(uid.get(JAVA_INT, 0), new String(bytes, UTF_8))
        : decoded(context, problem);
  }

  private Decoded decoded(Context context, int problem) {
    return switch (problem) {
      case REPLAYED -> new Decoded.Replayed();
      case EXPIRED -> new Decoded.Expired();
      case REWOUND -> new Decoded.Rewound();
      case BAD_ARGUMENT, NO_MEMORY, SOCKET_PROBLEM, TIMED_OUT ->
          new Decoded.Unavailable(unavailable(context.problem(problem)));
      default -> new Decoded.Bad(context.problem(problem));
    };
  }

  private static String notInstalled() {
    return Libmunge.NAME + " is not installed: munge cannot be used";
  }

  private String unavailable(String problem) {
    return "munged at " + socket + ": " + problem;
  }

  /** A munge_ctx_t and what one call allocates. */
  private final class Context implements AutoCloseable {
    private final Libmunge library;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment pointer;

    Context(Libmunge library) {
      this.library = library;
      this.pointer = library.create();
    }

    int prepare() {
      return pointer.address() == 0
          ? NO_MEMORY
          : library.set(pointer, Libmunge.SOCKET, arena.allocateFrom(socket.toString()));
    }

    String problem(int number) {
      return pointer.address() == 0 ? library.problem(number) : library.problem(pointer, number);
    }

    @SuppressWarnings("restricted")
    String text(MemorySegment made) {
      MemorySegment text = made.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE);
      try {
        return text.getString(0, US_ASCII).strip();
      } finally {
        library.free(text);
      }
    }

    @SuppressWarnings("restricted")
    byte[] bytes(MemorySegment payload, int length) {
      MemorySegment given = payload.get(ADDRESS, 0);
      if (given.address() == 0) {
        return new byte[0];
      }
      byte[] bytes = given.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
      library.free(given);
      return bytes;
    }

    @Override
    public void close() {
      if (pointer.address() != 0) {
        library.destroy(pointer);
      }
      arena.close();
    }
  }
}
