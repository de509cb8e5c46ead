package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gets a token for tools without a certificate. */
@Command(
    name = "token",
    description = {
      "Print a token that authenticates you to gateways for some hours, for example with curl.",
      "Everyone who has the token may ask what you may ask. It cannot be revoked."
    })
public final class TokenCommand extends AskingCommand {
  @Option(
      names = "--hours",
      paramLabel = "N",
      defaultValue = "0",
      description = "Hours of validity (default: the gateway's maximum).")
  private int hours;

  @Override
  public Integer call() {
    if (hours < 0) {
      throw CommandFailure.usage("--hours " + hours + " is not positive");
    }
    var request = IssueTokenRequest.newBuilder().setHours(hours).build();
    IssueTokenResponse issued =
        asking.ask(channel -> TokenServiceGrpc.newBlockingStub(channel).issueToken(request));
    JsonFields json =
        new JsonFields()
            .with("token", issued.getToken())
            .with("holder", issued.getHolder())
            .with("expires_at", Values.time(issued.getExpiresAt()));
    return printing.print(issued.getToken(), json);
  }
}
