package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints decisions as they are made. */
@Command(
    name = "watch",
    description = "Print decisions about sessions of this node as they are made.")
public final class WatchCommand extends AskingCommand {
  private static final int MOST_RECENT = 1_000;

  @Mixin private UserOption user = new UserOption();

  @Option(names = "--count", paramLabel = "N", description = "Exit after this number of decisions.")
  private @Nullable Integer count;

  @Option(
      names = "--recent",
      paramLabel = "N",
      description =
          "First print this number of earlier decisions, the oldest first: 1,000 at most.")
  private @Nullable Integer recent;

  @Override
  public Integer call() {
    if (count != null && count < 1) {
      throw CommandFailure.usage("--count " + count + " is not at least 1");
    }
    var request = WatchAdoptionsRequest.newBuilder();
    user.uid(users()).ifPresent(request::setUid);
    if (recent != null) {
      if (recent < 1 || recent > MOST_RECENT) {
        throw CommandFailure.usage("--recent " + recent + " is not within 1 to " + MOST_RECENT);
      }
      request.setRecent(recent);
    }
    return asking.follow(channel -> {
      Iterator<WatchAdoptionsResponse> told =
          AdoptionServiceGrpc.newBlockingStub(channel).watchAdoptions(request.build());
      print(told);
      return ExitCode.OK.status();
    });
  }

  /** Until the agent ends it, so many are told, or nobody reads any more. */
  private void print(Iterator<WatchAdoptionsResponse> told) {
    var words = new SessionPrinter(users());
    int printed = 0;
    while ((count == null || printed < count) && told.hasNext()) {
      Adoption adoption = told.next().getAdoption();
      printing.print(words.line(adoption), words.json(adoption));
      if (!printing.isRead()) {
        return;
      }
      printed++;
    }
  }
}
