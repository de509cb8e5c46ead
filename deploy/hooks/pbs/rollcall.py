"""OpenPBS's hook on a node with Rollcall. pbs_mom runs it as root on each host of a job.

qmgr -c 'create hook rollcall event="execjob_begin,execjob_end,execjob_abort"'
qmgr -c 'import hook rollcall application/x-python default /opt/rollcall/lib/hooks/pbs/rollcall.py'

It accepts each event, whatever happens: to reject one would requeue the job.
"""
import subprocess

import pbs

REPORT = "/opt/rollcall/lib/hooks/report"

event = pbs.event()
try:
    what = "begin" if event.type == pbs.EXECJOB_BEGIN else "end"
    command = [REPORT, what, str(event.job.id), str(event.job.euser)]
    reported = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if reported.stderr:
        pbs.logmsg(pbs.LOG_WARNING, reported.stderr.decode(errors="replace").strip())
except Exception as problem:
    pbs.logmsg(pbs.LOG_WARNING, "rollcall: job not reported to the agent: %s" % problem)
event.accept()
