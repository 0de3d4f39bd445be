"""Ways to choose the next request.

A strategy is sans-IO: answers, time (`Response.at_s`) and a seed are handed in, so it can be
replayed, resumed and compared. A folder holds the strategies of one verb, a file each. Beside
them stand the strategies that wrap any other: `robots` asks for permission, `patience` asks again.
"""
