package dev.rollcall.cli.authority;

import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.authority.Request;
import dev.rollcall.authority.WholeFile;
import dev.rollcall.cli.text.Printing;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a key where it is to be used, and the request that goes to the authority. */
@Command(
    name = "request",
    description = "Make a private key on this machine, and a request for its certificate.")
final class CaRequestCommand implements Callable<Integer> {
  private static final String REQUEST = "request.csr";

  @Mixin private final CaNames names = new CaNames();
  @Mixin private final CaOutput output = new CaOutput();
  @Mixin private final Printing printing = new Printing();

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      required = true,
      description = "The cluster that the holder belongs to.")
  private String cluster = "";

  @Override
  public Integer call() {
    return CaDirectory.named(() -> {
      Names asked = names.of(cluster);
      output.prepare(List.of(CaOutput.KEY, REQUEST));
      KeyPair keys = KeyFile.generate();
      List<Path> files =
          output.write(
              List.of(
                  output.part(CaOutput.KEY, KeyFile.pem(keys.getPrivate()), WholeFile.SECRET),
                  output.part(REQUEST, Request.pem(keys, asked), WholeFile.PUBLIC)));
      Path key = files.getFirst();
      Path file = files.getLast();
      String fingerprint = Request.read(file).fingerprint();
      var json = CertificatePrinter.json(asked);
      json.put("fingerprint", fingerprint);
      json.put("files", List.of(key.toString(), file.toString()));
      return printing.print(
          "%s: request %s%nwrote %s, which stays here%nwrote %s, for 'rollcall ca issue --request'"
              .formatted(asked, fingerprint, key, file),
          json);
    });
  }
}
