package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.ExplainResponse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tells why a session was decided as it was. */
@Command(
    name = "why",
    description = "Show why a session of this node is in its job, or was refused.")
public final class WhyCommand extends AskingCommand {
  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      defaultValue = "${env:ROLLCALL_ADOPTION}",
      description =
          "The session's id (default: ROLLCALL_ADOPTION of this session, else your last session on"
              + " this node; for root, the last one of any user).")
  private @Nullable String id;

  @Override
  public Integer call() {
    var request = ExplainRequest.newBuilder().setAdoptionId(id == null ? "" : id).build();
    ExplainResponse told = asking.adoptions(service -> service.explain(request));
    var words = new SessionPrinter(users());
    return printing.print(words.text(told), words.json(told));
  }
}
