# Completes the words of rollcall. Made by the build from the command's own options.

# The agent is asked for at most two seconds. Nothing is offered if it does not answer.
function __rollcall_jobs
    timeout 2 rollcall jobs --json --timeout 1 2>/dev/null | tr '{,' '[\n*]' | sed -n 's/^"job":\([0-9]*\)$/\1/p; s/^"batch_id":"\([0-9]*[^"]*\)"$/\1/p; s/^"name":"\([A-Za-z0-9._-]*\)"$/name-\1/p; $alatest' | sort -u
end
function __rollcall_nodes
    timeout 2 rollcall nodes --json --timeout 1 2>/dev/null | tr '{' '\n' | sed -n 's/^"node":"\([^"]*\)".*/\1/p' | sort -u
end

# Whether the words so far are this command, with this number of positions: N, N+ for at least N, nothing for any.
function __rollcall_at
    set -l at ''
    set -l position 0
    set -l skip no
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
        else if string match -q -- '-*' $word
            if contains -- "$at $word" $__rollcall_valued
                set skip yes
            end
        else if test $position = 0; and contains -- "$at $word" $__rollcall_paths
            set at "$at $word"
        else
            set position (math $position + 1)
        end
    end
    test "$at" = "$argv[1]"; or return 1
    switch "$argv[2]"
        case ''
            return 0
        case '*+'
            test $position -ge (string trim -r -c + -- $argv[2])
        case '*'
            test $position = "$argv[2]"
    end
end

