package dev.rollcall.load.micro;

import dev.rollcall.linux.calls.CallSourceConfig;
import dev.rollcall.linux.calls.SockOpsCalls;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.mount.Bpffs;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.load.bench.AtExit;
import dev.rollcall.model.Connection;
import dev.rollcall.port.CallSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Who made this call, as the agent asks the kernel: the table of calls, the socket, and whether it
 * is that one still. This process calls itself, from a cgroup of its own. As root.
 */
@State(Scope.Thread)
@NullUnmarked // JMH makes the state, and then sets it up
public class CallTable {
  private static final Path PROC = Path.of("/proc");
  private static final int SELF = Math.toIntExact(ProcessHandle.current().pid());

  private CgroupDirectory home;
  private CgroupDirectory cgroup;
  private Path bpf;
  private SockOpsCalls calls;
  private LoopbackCall call;
  private Connection connection;
  private AtExit atExit;

  @Setup(Level.Trial)
  public void open() throws IOException {
    CgroupMount mount =
        CgroupMounts.read(PROC).v2().orElseThrow(() -> new IOException("no cgroup2 is mounted"));
    home =
        new CgroupDirectory(
            mount.directoryOf(ProcessCgroups.read(PROC, SELF).in(ProcessCgroups.V2).orElse("/")));
    cgroup = new CgroupDirectory(mount.point().resolve("rollcall-bench-micro-" + SELF));
    bpf = Files.createTempDirectory("rollcall-bench-micro-");
    atExit = AtExit.of(() -> leave(new IOException("told to end")));
    try {
      cgroup.create();
      Bpffs.mount(bpf);
      calls = SockOpsCalls.open(config());
      cgroup.add(SELF);
      call = LoopbackCall.open();
      connection = call.connection();
      if (!(find() instanceof CallSource.Sighting.Seen)) {
        throw new IOException(find() + " of a call that was made");
      }
    } catch (IOException | RuntimeException e) {
      leave(e);
      throw e;
    }
  }

  private CallSourceConfig config() {
    return new CallSourceConfig(
        bpf, cgroup.path(), List.of(), List.of(), Set.of(), Set.of(), PROC, new Proc(PROC)::ofUid);
  }

  private void leave(Exception cause) {
    try {
      close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    atExit.forget();
    if (call != null) {
      call.close();
    }
    if (calls != null) {
      calls.close();
    }
    home.add(SELF);
    Files.deleteIfExists(cgroup.path());
    var _ = Mount.detach(bpf);
    Files.delete(bpf);
  }

  @Benchmark
  public CallSource.Sighting find() {
    return calls.find(connection);
  }
}
