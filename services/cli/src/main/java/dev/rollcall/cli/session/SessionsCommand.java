package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the sessions that the agent remembers. */
@Command(name = "sessions", description = "List the last sessions of this node, the newest first.")
public final class SessionsCommand extends AskingCommand {
  @Option(names = "--job", paramLabel = "JOB", description = "Only sessions that entered this job.")
  private @Nullable JobId job;

  @Mixin private UserOption user = new UserOption();

  @Option(names = "--live", description = "Only those whose connection is still open.")
  private boolean live;

  @Override
  public Integer call() {
    var request = ListSessionsRequest.newBuilder();
    if (job != null) {
      request.setJobId(job.number());
    }
    user.uid(users()).ifPresent(request::setUid);
    List<Session> sessions =
        asking
            .adoptions(service -> service.listSessions(request.build()))
            .getSessionsList()
            .stream()
            .filter(session -> session.getLive() || !live)
            .toList();
    var words = new SessionPrinter(users());
    return printing.print(words.table(sessions), sessions.stream().map(words::json).toList());
  }
}
