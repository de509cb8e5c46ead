package dev.rollcall.agent.login.socket;

import com.google.protobuf.ByteString;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A request as the module sends it, read; and the reply to it, written. */
@State(Scope.Thread)
public class LoginFrames {
  private record Nobody() implements PinnedProcess {
    @Override
    public ProcessRef ref() {
      return new ProcessRef(1, 1);
    }

    @Override
    public boolean alive() {
      return true;
    }

    @Override
    public void close() {}
  }

  private final RequestReader reader = new RequestReader(new NodeName("node1"));
  private final PinnedProcess nobody = new Nobody();
  private final Buffer request = Frame.of(sent().toByteArray());
  private final LoginOutcome answer =
      new LoginOutcome.Adopted(
          "abc-12",
          Reason.CALLER_JOB,
          new JobId(4711),
          "",
          "/rollcall.scope/job_4711/step_extern/user/session_12",
          new SessionSetup(variables(), OptionalInt.of(2001), List.of(), Map.of()),
          JobNamespaces.NONE);

  private static LoginRequest sent() {
    return LoginRequest.newBuilder()
        .setVersion(1)
        .setPhase(Phase.PHASE_ACCOUNT)
        .setService("sshd")
        .setUser("alice")
        .setUid(2001)
        .setPatienceMs(250)
        .setRemoteHost("10.77.0.11")
        .setLocalAddress(ByteString.copyFrom(new byte[] {10, 77, 0, 12}))
        .setLocalPort(22)
        .setRemoteAddress(ByteString.copyFrom(new byte[] {10, 77, 0, 11}))
        .setRemotePort(40_000)
        .setOptions(Options.getDefaultInstance())
        .build();
  }

  private static SequencedMap<String, String> variables() {
    var variables = new LinkedHashMap<String, String>();
    variables.put("SLURM_JOB_ID", "4711");
    variables.put("ROLLCALL_REASON", "caller-job");
    variables.put("ROLLCALL_ADOPTION", "abc-12");
    return variables;
  }

  @Benchmark
  public AdoptionRequested request() throws RequestReader.BadRequestException {
    if (Frame.read(request) instanceof Frame.Read.Complete(Buffer message)) {
      return reader.read(message, nobody, 0);
    }
    throw new IllegalStateException("the frame is not whole");
  }

  @Benchmark
  public Buffer reply() {
    return ReplyWriter.write(answer).frame();
  }
}
