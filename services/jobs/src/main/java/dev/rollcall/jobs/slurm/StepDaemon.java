package dev.rollcall.jobs.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.net.UnixStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * One conversation with a step daemon (slurmstepd), over the socket of its step. It begins with the
 * protocol version of each side; then come requests and their answers, ints in the machine's order.
 * A request that the daemon does not know, or refuses, ends the conversation without an answer.
 * Everything together takes no longer than the time that {@link #greet} was given.
 *
 * <p>Observed of slurmstepd 22.05.8; for later releases from Slurm's public headers.
 */
final class StepDaemon implements AutoCloseable {
  /**
   * The version that is offered: 26.05's. A release is a number in the upper byte, 22.05 is 38 and
   * every release after it one more. A daemon accepts its own, those of the releases shortly before
   * it, and every later one; it answers its own.
   */
  static final int OFFERED = 45 << 8;

  /** 25.11, the first release with namespace/linux. */
  private static final int ALL_NAMESPACES = 44;

  private static final int MOST_NAMESPACES = 8;
  private static final int GETPW_ALWAYS = 1;
  private static final int LONGEST_TEXT = 8_192;

  /** The state of a step, as its daemon reports it. */
  enum State {
    STARTING,
    RUNNING,
    /** Cancelled or ending: it takes no process any more. */
    ENDING;

    private static final int RUNS = 2;

    /**
     * @param number 0 not running, 1 starting, 2 running; above that, which number means what is
     *     the release's own, and all of it is the end
     */
    static State of(int number) {
      if (number < RUNS) {
        return STARTING;
      }
      return number == RUNS ? RUNNING : ENDING;
    }
  }

  /**
   * Requests in use, with their numbers on the wire, which no release from 22.05 to 26.05 changed.
   * Each is an int in the machine's order, then its arguments.
   */
  private enum Request {
    STATE(5),
    UID(20),
    ADD_EXTERN_PID(22),
    X11_DISPLAY(23),
    GETPW(24),
    /** The mount namespace alone. */
    GET_NS_FD(26),
    /** All namespaces, from 25.11 on. */
    GET_NS_FDS(28);

    private final int number;

    Request(int number) {
      this.number = number;
    }
  }

  private final UnixStream stream;
  private final int version;

  private StepDaemon(UnixStream stream, int version) {
    this.stream = stream;
    this.version = version;
  }

  /**
   * @param number of the display; 0: the step forwards none
   * @param authority path of the Xauthority file; empty: the user's own
   */
  record Display(int number, Optional<String> authority) {
    static final Display NONE = new Display(0, Optional.empty());
  }

  /**
   * Begins.
   *
   * @param within for the whole conversation
   * @throws dev.rollcall.linux.ErrnoException ENOENT, ECONNREFUSED: no daemon is there
   * @throws java.net.SocketTimeoutException the daemon does not answer
   * @throws IOException also if who listens is not root
   */
  static StepDaemon greet(Path socket, Duration within) throws IOException {
    UnixStream stream = UnixStream.connect(socket, within);
    try {
      int uid = stream.listener().uid();
      if (uid != 0) {
        throw new IOException("at " + socket + " listens a process of uid " + uid + ", not root's");
      }
      stream.write(ints(OFFERED));
      int version = new StepDaemon(stream, 0).number();
      if (version <= 0) {
        throw new IOException(
            "step daemon at %s refuses protocol version %d.0".formatted(socket, OFFERED >> 8));
      }
      return new StepDaemon(stream, version);
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }

  /** The protocol version that the daemon answered, e.g. 38 for 22.05 and 45 for 26.05. */
  int release() {
    return version >> 8;
  }

  /** The daemon's pid, by the kernel; 0 if it is in a pid namespace that cannot be seen. */
  int pid() throws IOException {
    return stream.listener().pid();
  }

  State state() throws IOException {
    ask(Request.STATE);
    return State.of(number());
  }

  int uid() throws IOException {
    ask(Request.UID);
    return number();
  }

  /**
   * The group of the job's owner for this job. Empty if the daemon does not know it, as with
   * LaunchParameters=disable_send_gids.
   */
  Optional<Integer> gid() throws IOException {
    ask(Request.GETPW, GETPW_ALWAYS, 0, 0);
    if (number() == 0) {
      return Optional.empty();
    }
    text(); // name
    text(); // password
    number(); // uid
    int gid = number();
    for (int left = 3; left > 0; left--) { // gecos, home, shell
      text();
    }
    return Optional.of(gid);
  }

  /**
   * Asks the daemon of an extern step to take a process in. It answers when the process is moved; 0
   * is its success, and no proof.
   */
  int add(int pid) throws IOException {
    ask(Request.ADD_EXTERN_PID, pid);
    return number();
  }

  Display display() throws IOException {
    ask(Request.X11_DISPLAY);
    int display = number();
    String authority = text();
    int end = authority.indexOf('\0');
    String path = end < 0 ? authority : authority.substring(0, end);
    return new Display(display, path.isEmpty() ? Optional.empty() : Optional.of(path));
  }

  /**
   * Adds the namespaces of the job's container, in the order in which they are to be joined; none
   * if it has no container. Ends the conversation.
   */
  void namespaces(StepNamespaces to) throws IOException {
    if (release() < ALL_NAMESPACES) {
      mountNamespace(to);
      return;
    }
    ask(Request.GET_NS_FDS);
    int count = number();
    if (count < 0 || count > MOST_NAMESPACES) {
      throw new IOException("step daemon announces " + count + " namespaces");
    }
    for (int left = count; left > 0; left--) {
      number(); // its type, which the kernel knows better
      to.add(
          stream
              .receive(1)
              .descriptor()
              .orElseThrow(
                  () -> new IOException("step daemon announces a namespace and passes none")));
    }
  }

  /**
   * The only one that these releases have. They differ in what they answer when there is none
   * (22.05 a 0, later ones nothing), so only the end of the stream shows it.
   */
  private void mountNamespace(StepNamespaces to) throws IOException {
    ask(Request.GET_NS_FD);
    stream.endOutput();
    UnixStream.Received piece = stream.receive(Long.BYTES);
    while (piece.bytes().hasRemaining()) {
      if (piece.descriptor().isPresent()) {
        to.add(piece.descriptor().get());
      }
      piece = stream.receive(Long.BYTES);
    }
  }

  private void ask(Request request, int... arguments) throws IOException {
    byte[] head = ints(request.number);
    byte[] rest = ints(arguments);
    byte[] all = ByteBuffer.allocate(head.length + rest.length).put(head).put(rest).array();
    stream.write(all);
  }

  private static byte[] ints(int... numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.nativeOrder());
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return bytes.array();
  }

  private int number() throws IOException {
    return ByteBuffer.wrap(read(Integer.BYTES)).order(ByteOrder.nativeOrder()).getInt();
  }

  /** An int of the length, then so many bytes. */
  private String text() throws IOException {
    int length = number();
    if (length < 0 || length > LONGEST_TEXT) {
      throw new IOException("step daemon announces a text of " + length + " bytes");
    }
    return new String(read(length), UTF_8);
  }

  private byte[] read(int wanted) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(wanted);
    while (read.hasRemaining()) {
      UnixStream.Received piece = stream.receive(read.remaining());
      piece.descriptor().ifPresent(Descriptor::close);
      if (!piece.bytes().hasRemaining()) {
        throw new EOFException("step daemon disconnected without an answer");
      }
      read.put(piece.bytes());
    }
    return read.array();
  }

  @Override
  public void close() {
    stream.close();
  }
}
